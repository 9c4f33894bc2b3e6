/** The contents of files that must name the same release. */
export interface ReleaseFiles {
  /** CHANGELOG.md. */
  readonly changelog: string;
  /** The version in package.json. */
  readonly packageVersion: string;
  /** docs/compatibility.json. */
  readonly publicInterface: string;
  /** docs/src/released-interface.json. */
  readonly releasedInterface: string;
  readonly dockerfile: string;
}

/** The newest section of the changelog without its heading. If the release is not ready, throws an Error with the required change. */
export function releaseNotes(tag: string, files: ReleaseFiles): string {
  const { changelog, packageVersion, publicInterface, releasedInterface, dockerfile } = files;
  if (tag !== `v${packageVersion}`) {
    throw new Error(`the tag ${tag} does not belong to version ${packageVersion} in package.json`);
  }
  const [section = ''] = changelog.split(/^(?=## )/m, 1);
  const [heading = '', ...lines] = section.split('\n');
  if (!/^## \S+ \/ \d{4}-\d{2}-\d{2}$/.test(heading) || !heading.startsWith(`## ${packageVersion} /`)) {
    throw new Error(`the newest section of CHANGELOG.md is "${heading}"; write "## ${packageVersion} / " and the date`);
  }
  const { version, ...released } = JSON.parse(releasedInterface) as Readonly<Record<string, unknown>>;
  if (version !== packageVersion || JSON.stringify(released) !== JSON.stringify(JSON.parse(publicInterface))) {
    throw new Error(`docs/src/released-interface.json is not that of ${packageVersion}; run npm run freeze`);
  }
  if (!/^ARG BASE=\S+@sha256:[\da-f]{64}$/m.test(dockerfile)) {
    throw new Error(
      'the base image in the Dockerfile has no digest; docs/project/releasing.md describes how to add it',
    );
  }
  return `${lines.join('\n').trim()}\n`;
}
