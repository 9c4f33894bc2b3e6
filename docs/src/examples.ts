/** A whole configuration for someone with one account. Tests load it as it is printed. */
export const ownerExample = `# One account. Everything that is not written here has a default.
api:
  base_url: https://api.example.com/api
  time_zone: Europe/Moscow           # of dates in the API's answers, and of cron patterns

accounts:
  - name: shop                       # the label \`account\` of all its series
    login: u12345
    password_file: /run/secrets/shop # holds the password and nothing else; mode 0400
`;

/** A whole configuration for someone who watches other people's accounts. Tests load it as it is printed. */
export const agencyExample = `# Many accounts: what they have in common comes first, each overrides what it needs to.
api:
  base_url: https://api.example.com/api
  timeout: 20s
  requests_per_minute: 30            # of the 60 that the provider allows all tools of an account
  time_zone: Europe/Moscow

collectors:
  databases: { every: 30m }
  site_load: { schedule: "7 * * * *" }           # at seven minutes past each hour
  site_load_detail: { every: 2h, max_age: 12h }  # one call a site: not too often
  database_load_detail: { enabled: false }

accounts:
  - name: bakery
    login: u10001
    password_file: secrets/bakery    # relative to the folder of this file

  - name: gallery
    login: u10002
    password: \${GALLERY_PASSWORD}    # from the environment

  - name: newspaper                  # by token, with another provider, on a large plan
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
      HostingSiteLoadUnusual: off    # its load follows the news

web:
  listen_address: 127.0.0.1:10380
`;

/** A configuration whose accounts are files of their own, for someone who has them made by a program. By path. */
export const fleetExample = {
  'config.yml': `# What all accounts have in common. Each of them is a file in the folder accounts.
api:
  base_url: https://api.example.com/api
  time_zone: Europe/Moscow

accounts_from: accounts/*.yml
`,
  'accounts/bakery.yml': `# yaml-language-server: $schema=account.schema.json
name: bakery
login: u10001
password_file: ../secrets/bakery     # relative to the folder of this file
collectors:
  databases: { every: 30m }
`,
} as const;
