// Generated from packages/bookstore/bookstore.yaml by `pnpm contract:generate`. Do not edit.

/** Base URLs of the environments. */
export const environments = {
  production: 'https://api.bookstore.example/v1',
  staging: 'https://api.staging.bookstore.example/v1',
} as const;

/** How each operation is sent. */
export const operations = {
  listBooks: { method: 'GET', path: '/books', parameters: { limit: 'query', format: 'query', cursor: 'query' }, result: 'array', pages: true },
  createBook: { method: 'POST', path: '/books', body: 'required', result: 'object', idempotencyKey: true },
  getBook: { method: 'GET', path: '/books/{bookId}', parameters: { bookId: 'path' }, result: 'object', notFound: true },
  deleteBook: { method: 'DELETE', path: '/books/{bookId}', parameters: { bookId: 'path' }, notFound: true, idempotencyKey: true },
  listStores: { method: 'GET', path: '/stores', parameters: { limit: 'query', city: 'query', cursor: 'query' }, result: 'array', pages: true },
  createStore: { method: 'POST', path: '/stores', body: 'required', result: 'object', idempotencyKey: true },
  getStore: { method: 'GET', path: '/stores/{storeId}', parameters: { storeId: 'path' }, result: 'object', notFound: true },
  deleteStore: { method: 'DELETE', path: '/stores/{storeId}', parameters: { storeId: 'path' }, notFound: true, idempotencyKey: true },
  updateStore: { method: 'PATCH', path: '/stores/{storeId}', parameters: { storeId: 'path' }, body: 'required', result: 'object', notFound: true, idempotencyKey: true },
  replaceStoreName: { method: 'PUT', path: '/stores/{storeId}/name', parameters: { storeId: 'path' }, body: 'required', result: 'object', notFound: true, idempotencyKey: true },
  listStoreBooks: { method: 'GET', path: '/stores/{storeId}/books', parameters: { storeId: 'path', limit: 'query', format: 'query', title: 'query', cursor: 'query' }, result: 'array', notFound: true, pages: true },
  listSales: { method: 'GET', path: '/sales', parameters: { limit: 'query', buyer: 'query', cursor: 'query' }, result: 'array', pages: true },
  createSale: { method: 'POST', path: '/sales', body: 'required', result: 'object', idempotencyKey: true },
  getSale: { method: 'GET', path: '/sales/{saleId}', parameters: { saleId: 'path' }, result: 'object', notFound: true },
  labelSale: { method: 'PATCH', path: '/sales/{saleId}', parameters: { saleId: 'path' }, body: 'required', result: 'object', notFound: true, idempotencyKey: true },
  getStock: { method: 'GET', path: '/stores/{storeId}/stock', parameters: { storeId: 'path', format: 'query' }, result: 'object', notFound: true },
} as const;
