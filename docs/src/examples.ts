/** A complete configuration of one account. Tests load it. */
export const singleExample = `# One account. All other settings have defaults.
api:
  base_url: https://api.example.com/api
  time_zone: Europe/Moscow           # of dates in API responses, and of cron patterns

accounts:
  - name: shop                       # value of the label \`account\`
    login: u12345
    password_file: /run/secrets/shop # contains only the password; mode 0400
`;

/** A complete configuration of many accounts. Tests load it. */
export const agencyExample = `# Common settings come first. Each account can override them.
api:
  base_url: https://api.example.com/api
  timeout: 20s
  requests_per_minute: 30            # half of what the provider allows for all tools of an account
  time_zone: Europe/Moscow

collectors:
  databases: { every: 30m }
  site_load: { schedule: "7 * * * *" }           # seven minutes past every hour
  site_load_detail: { every: 2h, max_age: 12h }  # one call per site: not too often
  database_load_detail: { enabled: false }

accounts:
  - name: bakery
    login: u10001
    password_file: secrets/bakery    # relative to the directory of this file

  - name: gallery
    login: u10002
    password: \${GALLERY_PASSWORD}    # from the environment

  - name: newspaper                  # with a token, at another provider, on a large plan
    token_file: secrets/newspaper
    api:
      base_url: https://api.example.net/v1
      requests_per_minute: 300
      size_units: binary
      time_zone: Asia/Almaty
    collectors:
      site_load_detail: { every: 15m }
      database_load_detail: { enabled: true }
    alerts:
      HostingDiskAlmostFull: { warning: 0.9, critical: 0.97 }
      HostingSiteLoadUnusual: off    # its load varies with the news

web:
  listen_address: 127.0.0.1:10380
`;

/** The files of a configuration with one file per account, by path. Tests load them. */
export const fleetExample = {
  'config.yml': `# Common settings. Each account is a file in the directory accounts.
api:
  base_url: https://api.example.com/api
  time_zone: Europe/Moscow

accounts_from: accounts/*.yml
`,
  'accounts/bakery.yml': `# yaml-language-server: $schema=account.schema.json
name: bakery
login: u10001
password_file: ../secrets/bakery     # relative to the directory of this file
collectors:
  databases: { every: 30m }
`,
} as const;
