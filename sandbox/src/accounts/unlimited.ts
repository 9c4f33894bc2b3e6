import { type AccountSeed, unsecuredToken } from './account-seed.ts';

/** A plan without limits. In place of a limit, the API reports nothing, 0, null, 2147483647 or "2147483647 MB". */
export const unlimited: AccountSeed = {
  login: 'unlimited',
  password: '100%&no;limit$~^|"\'<>',
  mainPassword: 'main&100%;no limit',
  token: unsecuredToken('unlimited'),
  plan: { name: 'Cloud' },
  server: { name: 'oblako.sandbox.example', memory: 1_031_000 },
  disk: { usage: 248_900_000_000, growthPerDay: 1_900_000_000 },
  balance: 21_965.56,
  dailyCharge: 60.73,
  domains: [{ fqdn: 'radio-archive.example', expiresInDays: 730 }, { fqdn: 'unlimited.sandbox.example' }],
  sites: [
    {
      name: 'radio-archive.example',
      load: 63.4,
      peakHour: 22,
      domains: ['radio-archive.example', 'unlimited.sandbox.example'],
    },
    { name: 'static', load: 1.1, domains: [] },
  ],
  databases: [
    { name: 'unlimited_archive', size: 18_400_000_000, growthPerDay: 150_000_000, load: 7200, peakHour: 22 },
    { name: 'unlimited_queue', size: 950, load: 45 },
  ],
};
