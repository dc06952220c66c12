# {{sdkPackage}}

{{about}}, typed: one method per operation, retries that are safe, deadlines that hold, and one kind of error for all failures.

## First call

```sh
npm install {{sdkPackage}}
```

```ts
{{sample}}
```

Each method takes the parameters in one object, then the body, then the options of the call, such as `signal`, `timeout` and `maxRetries`.
Without `apiKey`, the client reads the environment variable `{{NAME}}_API_KEY`, and without `baseUrl` `{{NAME}}_BASE_URL`. If modules load
without the key, as in the build of Next.js, give a function: `apiKey: () => process.env.{{NAME}}_API_KEY`.

| Method | |
| --- | --- |
{{operations}}

Editors show the documentation of each method, field and option.

## Errors

A call resolves to the body of the response or rejects with a `{{Title}}Error`, which has `code`, `status`, `requestId`, for a 400 the
`errors` of each value, and more. `is{{Title}}Error(error)` recognizes one; with the name of a method and a status, it narrows to the failure
that the API declares for them. Failed calls are repeated if that is safe, after the wait that the service asks for.

## Lists

A list is one page when awaited, and all following items when iterated with `for await`. `withResponse()` also gives the `nextCursor`.

## React Query

`{{camel}}Queries(client)` of `{{sdkPackage}}/react-query` has options for TanStack Query 5 by method: `useQuery` for those that read,
`useMutation` for those that change something, and `.infinite()` for lists. They retry nothing, because the client does.

## Browsers

Visitors can read what code in a browser has. So a page calls a backend of yours, which has the key and passes on what you choose:
`createClient({ baseUrl: '/api', apiKey: null })`.

## Tests and forms

`createTestClient` of `{{sdkPackage}}/testing` answers calls from your handlers, without a network. `{{sdkPackage}}/schemas` has the schemas of
the API as Standard Schema, for forms.
