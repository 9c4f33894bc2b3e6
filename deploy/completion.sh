# Completion of hosting-account-exporter for bash and zsh. Add to ~/.bashrc, or after compinit to ~/.zshrc:
#   source /path/to/deploy/completion.sh
# Generated from the flags: npx vitest run test/docs -u

_hosting_account_exporter() {
  local words='serve once init report check history rules sandbox demo hash-password healthy'
  case "${COMP_WORDS[1]}" in
    serve | -*) words='--config.file --config.check --config.auto-reload --web.listen-address --web.telemetry-path --web.external-url --web.route-prefix --web.disable-exporter-metrics --web.config.file --web.allowed-hosts --web.enable-lifecycle --web.systemd-socket --web.health-address --shard --log.level --log.format --help' ;;
    once) words='--config.file --account --output --log.level --log.format --help' ;;
    init) words='--base-url --login --account --time-zone --directory --language --help' ;;
    report) words='--url --url.login-file --config.file --account --label --format --language --only --days --new --log.level --log.format --help' ;;
    check) words='--config.file --account --language --json --record --record.shift --help' ;;
    history) words='--config.file --account --output --from-state --days --until --step --job --instance --label --help' ;;
    rules) words='--output --language --selector --label --account-label --severity --runbooks --dashboards --pages --off --help' ;;
    sandbox) words='--dialect --port --speed --tls-cert-file --replay --help' ;;
    demo) words='--port --web.listen-address --accounts --sandbox.port --history.output --history.instance --log.level --log.format --help' ;;
    hash-password) words='--cost --help' ;;
    healthy) words='--help' ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
}
if [ -n "$ZSH_VERSION" ]; then autoload -U +X bashcompinit && bashcompinit; fi
complete -o default -F _hosting_account_exporter hosting-account-exporter
