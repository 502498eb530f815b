#!/bin/sh
# Builds the library in all its shapes into a folder: sh build.sh FOLDER. Says what is missing, and ends with 0: what needs the library fails clearly.
set -eu
here=$(dirname "$0")
out=$1
compiler=${CC:-gcc}
if ! command -v "$compiler" > /dev/null; then
  echo "TaskletFixture: $compiler is missing, so its native library is not built and tests of tasklets fail: sudo apt-get install gcc libc6-dev"
  exit 0
fi
if ! echo '#include <stdlib.h>' | "$compiler" -fsyntax-only -xc - 2> /dev/null; then
  echo "TaskletFixture: the headers of the C library are missing, so its native library is not built and tests of tasklets fail: sudo apt-get install libc6-dev"
  exit 0
fi

# A name, then what makes the shape. Each file appears at once and whole.
shape() {
  name=$1
  shift
  "$compiler" -std=gnu11 -O1 -g -fPIC -shared -fno-omit-frame-pointer -fvisibility=hidden -Wall -Wextra -Werror -Wl,-z,noexecstack \
    "$@" "-DTL_MODULE=\"libtasklets-$name.so\"" "$here"/*.c -o "$out/libtasklets-$name.so.new"
  mv "$out/libtasklets-$name.so.new" "$out/libtasklets-$name.so"
}

mkdir -p "$out"
for version in 4 3 2; do
  shape "v$version" -DTL_VARIANT=$version
  shape "v$version-nocontract" -DTL_VARIANT=$version -DTL_NO_CONTRACT
done
shape shuffled -DTL_VARIANT=4 -DTL_SHUFFLED
shape shuffled-nocontract -DTL_VARIANT=4 -DTL_SHUFFLED -DTL_NO_CONTRACT
