#!/usr/bin/perl
# `hardpoint plugins`: a table of what is installed, and what a file says of
# itself, without a line of its code being run.
use strict;
use warnings;
use File::Copy qw(copy);
use File::Temp qw(tempdir);
use Test::More;

my $src = $ENV{HP_SRC}     or die "HP_SRC is not set\n";
my $build = $ENV{HP_BUILD} or die "HP_BUILD is not set\n";
my $cc = $ENV{CC} || 'cc';
my $dir = tempdir(CLEANUP => 1);

sub compile {
    my ($file, $name) = @_;
    system("$cc -w -shared -fPIC -I$src/abi -o $dir/$file "
            . "$src/t/bad/$name.c") == 0
        or BAIL_OUT("cannot compile $name.c");
}

# Exit status, standard output, standard error; the folder taken out of them.
sub plugins {
    my (@arguments) = @_;
    my $out = `$build/hardpoint plugins @arguments 2>$dir/err`;
    my $status = $? & 127 ? "signal $?" : $? >> 8;
    open my $h, '<', "$dir/err" or die "err: $!\n";
    my $err = join '', <$h>;
    s/\Q$dir\E/DIR/g for $out, $err;
    return ($status, $out, $err);
}

mkdir "$dir/$_" for qw(one two);
compile('one/agent_bad.so', 'good');
copy("$dir/one/agent_bad.so", "$dir/two/agent_bad.so");

my ($status, $out, $err) = plugins('list', '--path', "$dir/one");
is($status, 0, 'a folder of good plugins is listed');
is($out, <<'END', '... as a table');
KIND   NAME  VERSION  ABI   SUMMARY
agent  bad   1.0.0    1.0   something is wrong with it
END
is($err, '', '... and nothing else');

($status, $out, $err) = plugins('list', '--path', "$dir/one:$dir/two:$dir/one");
is($status, 0, 'the same plugin in a later folder is no fault');
is(scalar(() = $out =~ /^agent/mg), 1, '... and listed once');
is($err, "DIR/two/agent_bad.so: is hidden by DIR/one/agent_bad.so, which comes "
        . "first in the path\n", '... but told');

compile('two/agent_abi.so', 'abi_99');
copy("$dir/one/agent_bad.so", "$dir/two/agent_wrong.so");
($status, $out, $err) = plugins('list', '--path', "$dir/two");
is($status, 1, 'a plugin that would be refused makes the answer no');
like($out, qr/^agent  bad /m, '... the good one is still listed');
like($err, qr/agent_abi\.so: is built for ABI 99\.0, this host has 1\.0/,
    '... ABI 99 is refused without running its constructor');
like($err, qr/agent_wrong\.so: is found under the name agent_bad\.so only/,
    '... a file under another name is told');

($status, $out, $err) = plugins('list', '--path', "$dir/three");
is($status, 66, 'a folder that is not there is no input');
like($err, qr/DIR\/three: cannot be listed: No such file/, '... and named');

mkdir "$dir/empty";
($status, $out, $err) = plugins('list', '--path', "$dir/empty");
is($status, 0, 'an empty folder is no fault');
is($out, '', '... has no table');
like($err, qr/there is none in DIR\/empty/, '... and is told');

($status, $out, $err) = plugins('list', '--path', "$build/plugins/.libs");
is($status, 0, 'the plugins of this build are all fit');
like($out, qr/^haptics +null +/m, '... haptics_null among them');

($status, $out, $err) = plugins('inspect', "$dir/one/agent_bad.so");
is($status, 0, 'a good file is inspected');
like($out, qr/kind +agent\n +name +bad\n/, '... kind and name');
like($out, qr/verdict +fit for this host/, '... and found fit');

($status, $out, $err) = plugins('inspect', "$dir/two/agent_abi.so",
    "$dir/one/agent_bad.so");
is($status, 1, 'ABI 99 is inspected without being run');
like($out, qr/ABI +99\.0/, '... its ABI told');
like($out, qr/name +bad/, '... and the file after it as well');

my %refused = (
    "$dir/err" => [1, qr/is not an ELF file/],
    $dir => [1, qr/is a folder/],
    "$dir/none.so" => [66, qr/No such file/],
);
for my $file (sort keys %refused) {
    ($status, $out, $err) = plugins('inspect', $file);
    is($status, $refused{$file}[0], 'what is no plugin gets its status');
    like($err, $refused{$file}[1], '... and its sentence');
}

for my $bad (['lst'], [], ['list', '--pth'], ['list', 'x'], ['inspect'],
    ['inspect', '--all']) {
    ($status, $out, $err) = plugins(@$bad);
    is($status, 64, "\"plugins @$bad\" is not how it is used");
}
like((plugins('lst'))[2], qr/did you mean "list"\?/, 'a near name is offered');

# ---- doc: loaded, but in another process ----

$ENV{HARDPOINT_PLUGIN_PATH} = "$build/plugins/.libs";
($status, $out, $err) = plugins('doc', 'haptics.trace');
is($status, 0, 'a plugin is found by kind and name');
like($out, qr/^haptics\.trace .*\n\nfile\n    .*\n    default: haptics\.jsonl\n/,
    '... and its key told');
is((plugins('doc', 'trace'))[1], $out, '... by its name alone');
is((plugins('doc', "$build/plugins/.libs/haptics_trace.so"))[1], $out,
    '... and by its file');
like((plugins(qw(doc input.script --format ini)))[1],
    qr/^\[input\.script\]\n\n(; .*\n)*; .*It must be given\.\n(; .*\n)*file =\n/m,
    'as INI: a key that must be given has no value');
($status, $out, $err) = plugins(qw(doc agent.tick_log --format text));
like($out, qr/It has no keys\./, 'a plugin without keys says so');
($status, $out, $err) = plugins(qw(doc sim.flight --format json));
like($out, qr/"name": "terrain",\s+"type": "choice",/, 'as JSON');
SKIP: {
    skip 'no mandoc', 1 unless grep { -x "$_/mandoc" } split /:/, $ENV{PATH};
    plugins(qw(doc sim.flight --format man), ">$dir/page.5");
    is(`mandoc -T lint -W warning $dir/page.5`, '', 'as a manual page, without a flaw');
}
for my $bad (['doc', 'flight', qr/2 kinds have a plugin "flight", expected one/],
    ['doc', 'haptics.trce', qr/did you mean "trace"\?/]) {
    my ($command, $name, $sentence) = @$bad;
    ($status, $out, $err) = plugins($command, $name);
    is($status, 66, "doc $name is no input");
    like($err, $sentence, '... and told');
}
compile('two/agent_crash.so', 'crashes');
($status, $out, $err) = plugins('doc', "$dir/two/agent_abi.so");
is($status, 1, 'one that is refused is refused here as well');
is((plugins(qw(doc trace --format xml)))[0], 64, 'an unknown format is refused');

done_testing();
