#!/bin/sh
# ./dev check-guest: a Debian kernel under plain emulation, with uinput, uhid,
# hid-microsoft and ff-memless, and this machine's own root read-only, so that the
# build tree's binaries meet real drivers. TAP on standard output.
#
#     check.sh BUILD SOURCE
#
# Exit status: 0 passed or skipped (said so), 1 failed.
set -eu

build=$(cd "$1" && pwd)
src=$(cd "$2" && pwd)
work=$build/guest
patience_s=600

skip() {
    echo "1..0 # SKIP $*"
    exit 0
}

for tool in qemu-system-x86_64 busybox cpio modprobe depmod dpkg-deb; do
    command -v "$tool" >/dev/null || skip "$tool is not installed"
done
[ "$(uname -m)" = x86_64 ] || skip "the guest is an x86_64"
mkdir -p "$work"

# The kernel package, unpacked and not installed; kept for the next time.
kernel() {
    package=$(apt-cache depends linux-image-amd64 2>/dev/null |
        awk '/Depends: linux-image-[0-9]/ { print $2; exit }')
    [ -n "$package" ] || skip "apt knows no linux-image-amd64"
    version=${package#linux-image-}
    if [ ! -f "$work/root/boot/vmlinuz-$version" ]; then
        (cd "$work" && apt-get -q download "$package" >fetch.log 2>&1) ||
            skip "$package cannot be fetched"
        dpkg-deb -x "$work/$package"_*.deb "$work/root"
        rm -f "$work/$package"_*.deb
    fi
    depmod -b "$work/root" "$version"
}

# In the order in which they must be loaded, each once.
modules() {
    for module in uinput evdev uhid hid-generic hid-microsoft ff-memless \
        virtio_pci 9pnet_virtio 9p; do
        modprobe -d "$work/root" -S "$version" --show-depends "$module" |
            awk '$1 == "insmod" { print $2 }'
    done | awk '!seen[$0]++'
}

initramfs() {
    rm -rf "$work/initramfs"
    mkdir -p "$work/initramfs/bin" "$work/initramfs/modules" \
        "$work/initramfs/proc" "$work/initramfs/sys" "$work/initramfs/dev" \
        "$work/initramfs/root"
    cp "$(command -v busybox)" "$work/initramfs/bin/busybox"
    number=100
    for module in $(modules); do
        cp "$module" "$work/initramfs/modules/$number-$(basename "$module")"
        number=$((number + 1))
    done
    cat >"$work/initramfs/init" <<END
#!/bin/busybox sh
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sysfs /sys
/bin/busybox mount -t devtmpfs devtmpfs /dev
for module in /modules/*; do /bin/busybox insmod \$module; done
/bin/busybox mount -t 9p -o ro,trans=virtio,version=9p2000.L root /root
/bin/busybox mount -t proc proc /root/proc
/bin/busybox mount -t sysfs sysfs /root/sys
/bin/busybox mount -t devtmpfs devtmpfs /root/dev
/bin/busybox mount -t tmpfs tmpfs /root/run
/bin/busybox mount -t tmpfs tmpfs /root/tmp
echo guest: begins
/bin/busybox chroot /root /usr/bin/env PATH=/usr/bin:/bin:/usr/sbin:/sbin HOME=/run \
    perl $src/t/guest/inside.pl $build $work 2>&1
echo guest: status \$?
/bin/busybox poweroff -f
END
    chmod +x "$work/initramfs/init"
    (cd "$work/initramfs" && find . | cpio -o -H newc --quiet | gzip -1) \
        >"$work/initrd.gz"
}

pads() {
    for pad in pad_uinput pad_uhid; do
        ${CC:-cc} -O1 -o "$work/$pad" "$src/t/guest/$pad.c"
    done
}

# Never with KVM: where it is there it need not work.
guest() {
    timeout "$patience_s" qemu-system-x86_64 -accel tcg,thread=multi \
        -m 512 -smp 2 -nographic -no-reboot -nic none \
        -fsdev local,id=r,path=/,security_model=none,readonly=on,multidevs=remap \
        -device virtio-9p-pci,fsdev=r,mount_tag=root \
        -kernel "$work/root/boot/vmlinuz-$version" -initrd "$work/initrd.gz" \
        -append 'console=ttyS0 quiet panic=-1' </dev/null >"$work/console" 2>&1 || :
    tr -d '\r' <"$work/console" | sed -n '/guest: begins/,$p'
}

kernel
pads
initramfs
guest >"$work/said"
[ -s "$work/said" ] || skip "the emulated machine does not come up here; $work/console has what it said"
grep -av 'guest: \|reboot: ' "$work/said" || :
if ! grep -aq '^guest: status 0$' "$work/said"; then
    echo "# the guest did not pass; its console is $work/console" >&2
    exit 1
fi
