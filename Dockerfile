# Quadstead as an image: with DATABASE_URL on that PostgreSQL, without on one of its own in /data. It listens on every
# address of its container, so it must be told who may do what: JWT_ISSUER, ACCESS=grants or ACCESS=open (docs/security.md).
FROM node:22-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY patches ./patches
RUN npm ci --no-audit
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY docs ./docs
# The driver is patched by now, so nothing may run again.
RUN npm run build && npm prune --omit=dev --ignore-scripts

# glibc, which the embedded PostgreSQL needs: not Alpine.
FROM node:22-slim
# With these settings malloc returns freed memory to the system: two arenas instead of one for each thread, and a threshold
# that stays at glibc's initial value. By default glibc raises it when large buffers are freed.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY sql ./sql
COPY assets ./assets
COPY docs ./docs
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/ready').then(answer => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "--v8-pool-size=1", "--max-inlined-bytecode-size-cumulative=200", \
     "--enable-source-maps", "dist/cli.js", "serve"]
