FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci && npx tsc -p tsconfig.build.json && npm prune --omit=dev --omit=optional --workspaces=false

FROM node:24-bookworm-slim
ARG COMMIT
WORKDIR /srv/service
COPY --from=build /src/package.json package.json
COPY --from=build /src/node_modules node_modules
COPY --from=build /src/dist dist
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 METRICS_HOST=0.0.0.0 COMMIT=$COMMIT
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--disable-sigusr1", "dist/main.js"]
CMD ["serve"]
