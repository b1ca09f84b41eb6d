#!/usr/bin/perl
# Each file of t/data/bad-ini holds one kind of mistake; `hardpoint check` must
# say what its .expected holds, start nothing, and exit with 78.
use strict;
use warnings;
use File::Temp qw(tempdir);
use Test::More;

my $src = $ENV{HP_SRC}     or die "HP_SRC is not set\n";
my $build = $ENV{HP_BUILD} or die "HP_BUILD is not set\n";
my $dir = tempdir(CLEANUP => 1);

delete @ENV{grep { /^HARDPOINT_.*__/ } keys %ENV};
chdir "$src/t/data/bad-ini" or die "t/data/bad-ini: $!\n";

# What differs by machine and by the plugins that are built is taken out.
sub check {
    my ($file) = @_;
    my $out = `$build/hardpoint check $file 2>$dir/err`;
    my $status = $? & 127 ? "signal $?" : $? >> 8;
    open my $h, '<', "$dir/err" or die "err: $!\n";
    my $err = join '', <$h>;
    $err =~ s/\.so\) in [^;]*;/.so) in FOLDERS;/g;
    $err =~ s/(there|There) are: [a-z0-9_, ]*/$1 are: NAMES/g;
    return ($status, $out, $err);
}

sub contents {
    my ($file) = @_;
    open my $h, '<', $file or return "(no file $file)";
    return join '', <$h>;
}

my @files = sort glob '*.ini';
cmp_ok(scalar @files, '>', 40, 'there is a file for each kind of mistake');
for my $file (@files) {
    (my $name = $file) =~ s/\.ini$//;
    my ($status, $out, $err) = check($file);
    is($err, contents("$name.expected"), $name);
    is("$status $out", '78 ', "... and is refused as configuration");
}

open my $h, '>', "$dir/megabyte.ini" or die;
print $h "[host]\nrole = server\n", 'a' x (1 << 20), "\n";
close $h;
my ($status, $out, $err) = check("$dir/megabyte.ini");
is($err, "$dir/megabyte.ini:3:200: error: found a line of 1048576 bytes, expected "
        . "at most 199: let a long value go on over indented lines\n",
    'a line of a megabyte is one problem');
is($status, 78, '... and is refused');

open $h, '>', "$dir/good.ini" or die;
print $h "[host]\nrole = server\n";
close $h;
($status, $out, $err) = check("$dir/good.ini");
is("$status $out$err", "0 $dir/good.ini: ok\n", 'a good file is said to be so');
($status, $out, $err) = check("$dir/none.ini");
is($status, 66, 'a file that is not there is no input');
is($err, "$dir/none.ini: error: cannot be read: No such file or directory; "
        . "expected an INI file, see hardpoint.ini(5)\n", '... and is told');

done_testing();
