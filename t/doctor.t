#!/usr/bin/perl
# `hardpoint doctor`: TAP about this machine, and what to do.
use strict;
use warnings;
use File::Temp qw(tempdir);
use IO::Socket::INET;
use Test::More;

my $src = $ENV{HP_SRC}     or die "HP_SRC is not set\n";
my $build = $ENV{HP_BUILD} or die "HP_BUILD is not set\n";
my $dir = tempdir(CLEANUP => 1);

my $taken = IO::Socket::INET->new(Proto => 'udp', LocalAddr => '127.0.0.1')
    or die "no UDP socket: $!\n";
my $port = $taken->sockport;

sub doctor {
    my (%port) = @_;
    open my $ini, '>', "$dir/h.ini" or die "h.ini: $!\n";
    print $ini "[plugins]\nsim = $port{sim}\ncues = none\nhaptics = none\n"
        . "[net]\nport = $port{port}\n";
    close $ini;
    my $out = `$build/hardpoint doctor $dir/h.ini 2>$dir/err`;
    return ($? >> 8, $out);
}

my ($status, $out) = doctor(sim => 'flight', port => $port);
my @facts = $out =~ /^(?:not )?ok \d+ - /mg;
like($out, qr/^1\.\.${\scalar @facts}$/m, 'the plan counts the facts');
like($out, qr/^ok 1 - .*h\.ini is in order, and its plugins load$/m,
    'a sound configuration is one');
like($out, qr/^not ok 2 - UDP port $port is free\n# Address already in use; set \[net\] port/m,
    'a port that is taken is told, with what to do');
is($status, 1, '... in the exit status too');
like($out, qr/^(not )?ok \d+ - timers are on time \(late by \d/m, 'timers are measured');
like($out, qr/^ok \d+ - hardpoint-guardian is there$/m, 'the guardian is found');

close $taken;
($status, $out) = doctor(sim => 'flight', port => $port);
like($out, qr/^ok 2 - UDP port $port is free$/m, 'a free port is one');
($status, $out) = doctor(sim => 'nosuch', port => $port);
like($out, qr/^not ok 1 - .*h\.ini is in order/m, 'a missing plugin is told');
is($status, 1, '... in the exit status too');
is(system("$build/hardpoint doctor a b 2>/dev/null") >> 8, 64, 'too much is a mistake');
done_testing();
