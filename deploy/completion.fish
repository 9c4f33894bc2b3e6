# Completion of hosting-account-exporter for fish. Copy to ~/.config/fish/completions/hosting-account-exporter.fish
# Generated from the flags: npx vitest run test/docs -u

complete -c hosting-account-exporter -n __fish_use_subcommand -a 'serve once init report check history rules sandbox demo hash-password healthy'
for flag in config.file config.check config.auto-reload web.listen-address web.telemetry-path web.external-url web.route-prefix web.disable-exporter-metrics web.config.file web.allowed-hosts web.enable-lifecycle web.systemd-socket web.health-address shard log.level log.format help
    complete -c hosting-account-exporter -n 'not __fish_seen_subcommand_from once init report check history rules sandbox demo hash-password healthy' -l $flag
end
for flag in config.file account output log.level log.format help
    complete -c hosting-account-exporter -n '__fish_seen_subcommand_from once' -l $flag
end
for flag in base-url login account time-zone directory language help
    complete -c hosting-account-exporter -n '__fish_seen_subcommand_from init' -l $flag
end
for flag in url url.login-file config.file account label format language only days new log.level log.format help
    complete -c hosting-account-exporter -n '__fish_seen_subcommand_from report' -l $flag
end
for flag in config.file account language json record record.shift help
    complete -c hosting-account-exporter -n '__fish_seen_subcommand_from check' -l $flag
end
for flag in config.file account output from-state days until step job instance label help
    complete -c hosting-account-exporter -n '__fish_seen_subcommand_from history' -l $flag
end
for flag in output language selector label account-label severity runbooks dashboards pages off help
    complete -c hosting-account-exporter -n '__fish_seen_subcommand_from rules' -l $flag
end
for flag in dialect port speed tls-cert-file replay help
    complete -c hosting-account-exporter -n '__fish_seen_subcommand_from sandbox' -l $flag
end
for flag in port web.listen-address accounts sandbox.port history.output history.instance log.level log.format help
    complete -c hosting-account-exporter -n '__fish_seen_subcommand_from demo' -l $flag
end
for flag in cost help
    complete -c hosting-account-exporter -n '__fish_seen_subcommand_from hash-password' -l $flag
end
for flag in help
    complete -c hosting-account-exporter -n '__fish_seen_subcommand_from healthy' -l $flag
end
