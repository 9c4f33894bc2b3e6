# The image of the exporter. Build it with what the labels and the build info metric are to say:
#
#   docker build --tag hosting-account-exporter \
#     --build-arg VERSION=0.1.0 \
#     --build-arg REVISION="$(git rev-parse --short HEAD)" \
#     --build-arg CREATED="$(date -u +%FT%TZ)" .
#
# Debian's slim image and not distroless: its tags name an exact version of Node.js, distroless' only a major one.

FROM node:24.21.0-trixie-slim AS base

FROM base AS build
WORKDIR /app
COPY package.json package-lock.json ./
# For a registry of your own: --secret id=npmrc,src=$HOME/.npmrc. Without the secret nothing is mounted, and no layer keeps it.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
# There is no .git here, so the build itself can't tell the revision.
ARG REVISION=unknown
RUN npm run build && echo "$REVISION" > dist/revision
# Whatever the umask of the checkout, the image's user must be able to read.
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund && chmod -R a+rX package.json node_modules dist

FROM base
# Nothing here installs packages, and most findings of image scanners are in what npm and yarn bring along.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
    /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-*
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist

# A number, so that Kubernetes can tell that it is not root. It needs no home and writes nothing.
USER 65532:65532
EXPOSE 10380
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:10380/-/healthy').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/main.js"]

ARG VERSION=unknown
ARG REVISION=unknown
ARG CREATED=unknown
LABEL org.opencontainers.image.title="hosting-account-exporter" \
      org.opencontainers.image.description="Prometheus exporter for shared-hosting accounts" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.created="$CREATED" \
      org.opencontainers.image.base.name="docker.io/library/node:24.21.0-trixie-slim"
