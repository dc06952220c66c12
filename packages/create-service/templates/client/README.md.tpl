# {{sdkPackage}}

{{about}}, typed: one method per operation, retries that are safe, deadlines that hold, and one kind of error for all failures.

```sh
npm install {{sdkPackage}}
```

```ts
{{sample}}
```

Without `apiKey`, the client reads the environment variable `{{NAME}}_API_KEY`. Failed calls are repeated if that is safe, after the
wait that the service asks for. A list is one page when awaited, and all following items when iterated with `for await`.

Each failure is a `{{Title}}Error` with `code`, `status`, `requestId` and more; `is{{Title}}Error(error)` recognizes one.
`{{sdkPackage}}/testing` answers calls in tests without a network.
`{{sdkPackage}}/react-query` has options for TanStack Query, and `/schemas` the schemas of the API for forms, as Standard
Schema. Editors show the documentation of each method and option.
