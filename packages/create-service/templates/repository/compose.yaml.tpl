# The server with its own Postgres: POSTGRES_PASSWORD=… docker compose up --build
# A first key: docker compose exec server node dist/main.js keys create --name me --plan {{plan}}

services:
  postgres:
    image: postgres:18.4-bookworm
    environment:
      POSTGRES_USER: service
      POSTGRES_DB: service
      POSTGRES_PASSWORD: ${POSTGRES_PASSWORD:?set a password for the database}
    volumes:
      - postgres:/var/lib/postgresql
    healthcheck:
      test: [CMD-SHELL, pg_isready --username service --dbname service]
      interval: 2s
      timeout: 3s
      retries: 30
    restart: unless-stopped

  server:
    command: [serve, --migrate]
    build: .
    environment:
      DATABASE_URL: postgres://service@postgres:5432/service
      # In the URL, characters of base64 such as / would have to be escaped.
      PGPASSWORD: ${POSTGRES_PASSWORD}
      CORS_ORIGINS: ${CORS_ORIGINS:-}
      TRUST_PROXY: ${TRUST_PROXY:-}
    ports:
      - 127.0.0.1:3000:3000
    depends_on:
      postgres:
        condition: service_healthy
    # The init process forwards signals, also before the server handles them.
    init: true
    # A graceful shutdown takes less.
    stop_grace_period: 35s
    read_only: true
    cap_drop: [ALL]
    security_opt: [no-new-privileges:true]
    restart: unless-stopped

volumes:
  postgres:
