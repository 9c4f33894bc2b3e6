#!/bin/sh
# Installs a packed tarball into an empty folder, like a user. Then runs the demo until an account has metrics.
#
#   packaging/try-tarball.sh hosting-account-exporter-0.1.0.tgz
set -eu

tarball=$(realpath "$1")
folder=$(mktemp -d)
demo=
trap 'if [ -n "$demo" ]; then kill "$demo" || true; fi; rm -rf "$folder"' EXIT

npm install --prefix="$folder" --omit=dev --no-audit --no-fund "$tarball"
program=$folder/node_modules/.bin/hosting-account-exporter
"$program" --version
"$program" demo --web.listen-address=127.0.0.1:10399 >"$folder/demo.log" 2>&1 &
demo=$!

for _ in $(seq 60); do
  if curl --silent --fail --output "$folder/page" http://127.0.0.1:10399/metrics &&
    grep '^hosting_account_disk_usage_bytes{account="shop"}' "$folder/page"; then
    exit 0
  fi
  sleep 1
done
cat "$folder/demo.log"
echo 'the demo has shown no metrics of the account shop within a minute' >&2
exit 1
