#!/usr/bin/perl
# Each plugin of the build exports hp_plugin_v1 and nothing else, and says the
# same in its note as in its table.
use strict;
use warnings;
use Test::More;

my $build = $ENV{HP_BUILD} or die "HP_BUILD is not set\n";
my @files = sort glob "$build/plugins/.libs/*.so";
ok(@files >= 5, 'there are plugins');
for my $file (@files) {
    my ($name) = $file =~ m{([^/]+)\.so$};
    my ($kind, $own) = $name =~ /^([a-z]+)_(\w+)$/;
    # A sanitizer's own data stand beside it in such a build.
    my @symbols = grep { !/^__(asan|tsan|ubsan|odr_asan)|^_?_?(start|stop)___/ }
        map { (split)[-1] } `nm -D --defined-only $file`;
    is_deeply(\@symbols, ['hp_plugin_v1'], "$name exports one symbol");
    my $said = `$build/t/load_plugin -o -k $kind -n $own $file 2>&1`;
    # SDL keeps threads and handlers of its own, so its plugins never unmap.
    $said =~ s/^stays mapped: .*\n//mg if $own eq 'sdl2';
    is($said, "opens: $file\n" x 2, '... and note, table and file name agree');
}
done_testing();
