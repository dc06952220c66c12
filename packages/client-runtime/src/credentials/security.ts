/** The credentials that calls take. The generator writes those of a contract in place of this file. */
export const security = {
  listBooks: [[['key', 'header', 'X-Api-Key']], [['token', 'bearer']]],
  createBook: [
    [
      ['key', 'query', 'api_key'],
      ['token', 'bearer'],
    ],
  ],
  getBook: [[['key', 'basic']]],
  deleteBook: [],
  '': [[['token', 'bearer']]],
} as const;
