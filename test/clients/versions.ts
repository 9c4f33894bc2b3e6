/** Third-party clients for the provider's API, with the pip requirements that the tests install. */
export const pythonClients = {
  begetAPI: ['begetAPI==0.0.2'],
  'beget-mcp': ['beget-mcp==0.2.0'],
  // Needs a Certbot before 2.0, because it implements the interfaces of these versions, and libraries of the same time.
  'certbot-dns-beget': [
    'certbot-dns-beget==1.7.0.dev3',
    'certbot==1.32.0',
    'acme==1.32.0',
    'josepy==1.15.0',
    'cryptography==43.0.3',
    'pyOpenSSL==24.3.0',
  ],
  'certbot-dns-beget-api': ['certbot-dns-beget-api==1.0.1', 'certbot==5.8.0'],
  'certbot-beget-plugin': ['certbot-beget-plugin==1.0.0.dev10', 'certbot==5.8.0'],
} as const;

export type PythonClient = keyof typeof pythonClients;

/** Each client and its version. The version of lego comes from `lego/go.mod`. */
export const clientVersions: ReadonlyMap<string, string> = new Map([
  ...Object.values(pythonClients).map(([requirement]): [string, string] => {
    const [name = '', version = ''] = requirement.split('==');
    return [name, version];
  }),
  ['lego', '4.34.0'],
]);
