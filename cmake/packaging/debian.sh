#!/bin/sh
# SPDX-License-Identifier: MIT
# sh cmake/packaging/debian.sh FOLDER
#
# Makes Debian's source and binary package of this checkout in FOLDER, checks both with lintian, and runs the package's
# own test against what the package has. Needs debhelper, lintian, pkgconf and what acta needs to be configured; no root.
set -eu

[ $# -eq 1 ] || {
    printf 'use: sh cmake/packaging/debian.sh FOLDER\n' >&2
    exit 2
}
root=$(cd -- "$(dirname -- "$0")/../.." && pwd)
mkdir -p "$1"
folder=$(cd -- "$1" && pwd)
version=$(sed -n '1s/^acta (\(.*\)-[^-]*).*/\1/p' "$root/cmake/packaging/debian/changelog")
source=$folder/acta-$version

rm -rf "$source" "$folder/installed"
mkdir "$source"
for name in CHANGELOG.md CMakeLists.txt LICENSE README.md cmake include tools; do
    cp -R "$root/$name" "$source/"
done
tar -C "$folder" -czf "$folder/acta_$version.orig.tar.gz" "acta-$version"
cp -R "$root/cmake/packaging/debian" "$source/debian"

cd "$source"
dpkg-buildpackage --no-sign --build=full
cd "$folder"
# The project has not asked for a number of Debian's (initial-upload-closes-no-bugs), and has no web page yet.
lintian --allow-root --fail-on error,warning --info --suppress-tags initial-upload-closes-no-bugs \
    "acta_$version-1_$(dpkg --print-architecture).changes"

dpkg-deb -x "libacta-dev_$version-1_all.deb" installed
PKG_CONFIG_PATH=$folder/installed/usr/share/pkgconfig sh "$source/debian/tests/consumer"
dpkg-deb -x "acta_$version-1_$(dpkg --print-architecture).deb" installed
echo '{"episodes": []}' | installed/usr/bin/acta validate - >/dev/null
printf 'The packages: %s, %s\n' "$folder/libacta-dev_$version-1_all.deb" \
    "$folder/acta_$version-1_$(dpkg --print-architecture).deb"
