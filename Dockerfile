# Image of the exporter. The build arguments set the labels and the build info metric:
#
#   docker build --tag hosting-account-exporter \
#     --build-arg VERSION=0.1.0 \
#     --build-arg REVISION="$(git rev-parse --short HEAD)" \
#     --build-arg CREATED="$(date -u +%FT%TZ)" .
#
# The base is Debian's slim image, because its tags name an exact version of Node.js. Tags of distroless name only the major version.

FROM node:24.21.0-trixie-slim AS base

FROM base AS build
WORKDIR /app
COPY package.json package-lock.json ./
# For a private registry, add --secret id=npmrc,src=$HOME/.npmrc. The secret is not stored in a layer.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
# The build context has no .git, so the revision is an argument.
ARG REVISION=unknown
RUN npm run build && echo "$REVISION" > dist/revision
# The image's user must be able to read the files, regardless of the umask of the checkout.
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund && chmod -R a+rX package.json node_modules dist

FROM base
# npm and yarn are not needed at run time and cause most findings of image scanners.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
    /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-*
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist

# A numeric user lets Kubernetes verify runAsNonRoot. The user has no home directory and writes no files.
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
