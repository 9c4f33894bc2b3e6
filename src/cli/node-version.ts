/** Equals `engines` in package.json. The program checks the version, because npm does not enforce `engines`. */
const minimumNodeVersion = '22.19';

/** Returns why the program does not run on a version of Node.js, such as `v20.20.2`; undefined if the version is supported. */
export function validateNodeVersion(version: string): string | undefined {
  const [major, minor] = version.slice(1).split('.').map(Number);
  const [minimumMajor, minimumMinor] = minimumNodeVersion.split('.').map(Number);
  if (Number(major) > Number(minimumMajor)) return undefined;
  if (major === minimumMajor && Number(minor) >= Number(minimumMinor)) return undefined;
  return `hosting-account-exporter needs Node.js ${minimumNodeVersion} or newer; this is ${version}`;
}
