#!/bin/sh
# sh make-keys.sh > keys      The keys that all servers of one database have in common. Keep a copy elsewhere.
set -eu
umask 077
bytes=$(mktemp)
trap 'rm -f "$bytes"' EXIT
openssl rand -out "$bytes" 32
key=$(od -An -vtx1 "$bytes" | tr -d ' \n')
sum=$(openssl dgst -sha256 -r "$bytes" | cut -c1-16)
printf 'vitrine-server-key-1 %s %s\n' "$key" "$sum"
openssl genpkey -algorithm ed25519
