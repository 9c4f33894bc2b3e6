#!/bin/sh
# Installs the Debian packages that the tests need if it runs as root. Otherwise lists the missing packages and fails.
# With the argument `container`, those of `npm run test:container` too.
set -eu

missing=''
need() {
  command -v "$1" > /dev/null 2>&1 || missing="$missing $2"
}
need promtool prometheus
need prometheus-alertmanager prometheus-alertmanager
need chromium-headless-shell chromium-headless-shell
need curl curl
need openssl openssl
need systemd-analyze systemd
need msmtp msmtp
need apprise apprise
need /usr/lib/nagios/plugins/negate monitoring-plugins-basic
if [ "${1:-}" = container ]; then
  need dockerd docker.io
  need docker-compose docker-compose
  need debootstrap debootstrap
  need iptables iptables
fi

[ -z "$missing" ] && exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null 2>&1; then
  echo "Installing from Debian:$missing"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  # shellcheck disable=SC2086 # one word per package
  apt-get install -y -qq --no-install-recommends $missing > /dev/null
  exit 0
fi

echo "The tests need these Debian packages:$missing" >&2
echo "Install them, for example: sudo apt-get install$missing" >&2
exit 1
