# {{sdkPackage}}

{{about}}, typed: one method per operation, retries that are safe, deadlines that hold, and one kind of error for all failures. It runs
wherever `fetch` does: Node.js 22.12 or later, Bun, Deno, Cloudflare Workers, React Native and browsers.

## First call

```sh
npm install {{sdkPackage}}
```

```ts
{{sample}}
```

Each method takes the parameters in one object, then the body, then the options of the call, such as `signal`, `timeout` and `maxRetries`.
Without `apiKey`, the client reads the environment variable `{{NAME}}_API_KEY`, and without `baseUrl` `{{NAME}}_BASE_URL`: for a service on
your machine `{{local}}`.

| Method | |
| --- | --- |
{{operations}}

Editors show the documentation of each method, field and option. In the code below, `{{camel}}` is a client, as made here.

## Errors

A call resolves to the body of the response or rejects with a `{{Title}}Error`. With the name of a method and a status,
`is{{Title}}Error` narrows to the failure that the API declares for them, body included:

```ts
{{errors}}
```

The `code` is the API's, or `network_error`, `timeout` or `unexpected_response`. For a 400, `errors` says which values are wrong. Quote the
`requestId` when you ask for help. No field contains the API key.

Failed calls are repeated if that is safe, after the wait that the service asks for: up to twice (`maxRetries`), within 90 seconds
(`totalTimeout`).

## Lists

A list is one page when awaited, and all following items when iterated. `withResponse()` gives what a response has beside its data, such as
the cursor of the next page:

```ts
{{lists}}
```

## React Query

`{{sdkPackage}}/react-query` has options for [TanStack Query](https://tanstack.com/query) 5 by method. They retry nothing, because the client
does. A mutation takes the arguments of the method in one object, as in `mutate({ body, idempotencyKey })`:

```ts
{{queries}}
```

## Next.js and browsers

A component of the server calls the API itself, for each request. In a page, it stands within `<Suspense>`:

```ts
{{rendered}}
```

Visitors can read what code in a browser has. So a page calls a backend of yours, which has the key and passes on what you choose:
`createClient({ baseUrl: '/api', apiKey: null })`.

## Tests

`{{sdkPackage}}/testing` has a client that answers from your handlers, without a network. They take the arguments of the method:

```ts
{{tests}}
```

## Forms

`{{sdkPackage}}/schemas` has the schemas of the API as [Standard Schema](https://standardschema.dev), which libraries for forms take. They say
the same as the service, without a request:

```ts
{{forms}}
```
