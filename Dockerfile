# The server of a service, for production: docker build --tag shop --build-arg SERVICE=shop .
# Without SERVICE, it is the service that `npm start` starts without a name.
# A test runs the same steps without a container engine.
# Images are named by tag, and Dependabot proposes newer ones. For reproducible builds, add the digest that
# `docker buildx imagetools inspect` prints.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /src
COPY . .
ARG SERVICE
RUN npx --yes pnpm@12.21.0 install --frozen-lockfile --prod --filter . --filter "$(node scripts/services.mjs package $SERVICE)..."
RUN npx --yes pnpm@12.21.0 --filter "$(node scripts/services.mjs package $SERVICE)" build
# The optional dependency is only for pg on Cloudflare.
RUN npx --yes pnpm@12.21.0 --filter "$(node scripts/services.mjs package $SERVICE)" deploy --prod --no-optional /srv/service

FROM node:24.21.0-bookworm-slim
ARG COMMIT
WORKDIR /srv/service
COPY --from=build /srv/service/package.json package.json
COPY --from=build /srv/service/node_modules node_modules
COPY --from=build /srv/service/dist dist
# The server needs no package manager.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn-* /usr/local/bin/yarn*
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 METRICS_HOST=0.0.0.0 COMMIT=$COMMIT
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--disable-sigusr1", "dist/main.js"]
CMD ["serve"]
