# Image of the exporter. The build arguments set the labels and the build info metric:
#
#   docker build --tag hosting-account-exporter \
#     --build-arg VERSION=0.1.0 \
#     --build-arg REVISION="$(git rev-parse --short HEAD)" \
#     --build-arg CREATED="$(date -u +%FT%TZ)" .
#
# With --build-arg SOURCE_DATE_EPOCH="$(git log -1 --format=%ct)", two builds of a commit are bit-identical.
#
# The base is Debian's slim image, because its tags name an exact version of Node.js. Tags of distroless name only the major version.
# Its digest follows the tag, as in node:1.2.3-slim@sha256:..., and stands only here. docs/project/releasing.md describes how to add it.

ARG BASE=node:24.21.0-trixie-slim

# The stages that run commands use the platform of the builder, so that an image for another platform needs no emulation. What they
# produce is the same for all platforms: the dependencies at run time have no native modules.
FROM --platform=$BUILDPLATFORM $BASE AS build
WORKDIR /app
COPY package.json package-lock.json ./
# For a private registry, add --secret id=npmrc,src=$HOME/.npmrc. The secret is not stored in a layer.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY sandbox/src ./sandbox/src
# The build context has no .git, so the revision is an argument.
ARG REVISION=unknown
RUN npm run build && echo "$REVISION" > dist/revision
COPY packaging/strip-modules.sh packaging/
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund && packaging/strip-modules.sh node_modules
COPY LICENSE THIRD-PARTY.md ./
# The pages show steps of the runbooks.
COPY docs/runbooks ./docs/runbooks
COPY alerts ./alerts

# The files of the image are collected in a folder: each RUN mounts files in /etc, which changes the time of that directory.
FROM $BASE AS base

FROM --platform=$BUILDPLATFORM $BASE AS root
COPY --from=base / /image
# npm and yarn are not needed at run time and cause most findings of image scanners.
RUN rm -rf /image/usr/local/lib/node_modules /image/usr/local/bin/npm /image/usr/local/bin/npx /image/usr/local/bin/corepack \
    /image/usr/local/bin/yarn /image/usr/local/bin/yarnpkg /image/opt/yarn-*
COPY --from=build /app/package.json /app/LICENSE /app/THIRD-PARTY.md /program/app/
COPY --from=build /app/node_modules /program/app/node_modules
COPY --from=build /app/dist /program/app/dist
COPY --from=build /app/docs /program/app/docs
COPY --from=build /app/alerts /program/app/alerts
ARG SOURCE_DATE_EPOCH=0
# The image's user must be able to read the files, regardless of the umask of the checkout. Files of the base keep their time.
RUN chmod -R a+rX /program/app \
    && install --directory --owner=65532 --group=65532 --mode=0711 /image/var/lib/hosting-account-exporter \
    && find /image -xdev -newermt '1 hour ago' -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} + \
    && find /program -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +

# One layer for the system and one for the program: removed files take no space, and an upgrade on the same base loads only the second.
FROM scratch
COPY --from=root /image /
COPY --from=root /program /
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin NODE_ENV=production
WORKDIR /app

# A numeric user lets Kubernetes verify runAsNonRoot. The user has no home directory. It writes
# only to the directory in STATE_DIRECTORY, if that is set; a volume at /var/lib/hosting-account-exporter belongs to it. Others cannot
# list that directory; its mode lets promtool in another container read a history by its name.
USER 65532:65532
EXPOSE 10380
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 CMD ["node", "/app/dist/main.js", "healthy"]
ENTRYPOINT ["node", "/app/dist/main.js"]

ARG VERSION=unknown
ARG REVISION=unknown
ARG CREATED=unknown
LABEL org.opencontainers.image.title="hosting-account-exporter" \
      org.opencontainers.image.description="Prometheus exporter for shared-hosting accounts" \
      org.opencontainers.image.url="https://github.com/hosting-account-exporter/hosting-account-exporter" \
      org.opencontainers.image.source="https://github.com/hosting-account-exporter/hosting-account-exporter" \
      org.opencontainers.image.documentation="https://github.com/hosting-account-exporter/hosting-account-exporter/blob/main/docs/installation.md" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.created="$CREATED" \
      org.opencontainers.image.base.name="docker.io/library/node:24.21.0-trixie-slim"
