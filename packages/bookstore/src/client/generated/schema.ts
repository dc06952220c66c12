// Generated from packages/bookstore/bookstore.yaml by `pnpm contract:generate`. Do not edit.

export interface paths {
    "/books": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all books
         * @description Returns books in the order in which they were added.
         */
        get: operations["listBooks"];
        put?: never;
        /**
         * Add a book
         * @description Adds a book, once for each `Idempotency-Key`.
         */
        post: operations["createBook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/books/{bookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a book
         * @deprecated
         * @description Returns a single book.
         */
        get: operations["getBook"];
        put?: never;
        post?: never;
        /**
         * Delete a book
         * @description Deletes a book, once for each `Idempotency-Key`.
         */
        delete: operations["deleteBook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List stores
         * @description Returns stores, the newest first.
         */
        get: operations["listStores"];
        put?: never;
        /**
         * Open a store
         * @description Adds a store.
         */
        post: operations["createStore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a store
         * @description Returns a store.
         */
        get: operations["getStore"];
        put?: never;
        post?: never;
        /**
         * Delete a store
         * @description Deletes a store.
         */
        delete: operations["deleteStore"];
        options?: never;
        head?: never;
        /**
         * Change a store
         * @description Changes the fields that are sent. A closed store stays closed.
         */
        patch: operations["updateStore"];
        trace?: never;
    };
    "/stores/{storeId}/name": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Rename a store
         * @description Changes the name.
         */
        put: operations["replaceStoreName"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stores/{storeId}/books": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the books of a store
         * @description Returns books by title.
         */
        get: operations["listStoreBooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sales": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sales
         * @description Returns sales, the latest first.
         */
        get: operations["listSales"];
        put?: never;
        /**
         * Sell books
         * @description Adds a sale.
         */
        post: operations["createSale"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sales/{saleId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a sale
         * @description Returns a sale.
         */
        get: operations["getSale"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Label a sale
         * @description Replaces the labels.
         */
        patch: operations["labelSale"];
        trace?: never;
    };
    "/stores/{storeId}/stock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count books
         * @description Counts the books of the store.
         */
        get: operations["getStock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description How a book is made.
         * @enum {string}
         */
        Format: "hardcover" | "paperback" | "ebook";
        /** @description A book to add. */
        NewBook: {
            /**
             * @description Its title.
             * @example The Dispossessed
             */
            title: string;
            /**
             * Format: int64
             * @description The store that has it. Not checked.
             * @example 7
             */
            storeId: number;
            format?: components["schemas"]["Format"] | undefined;
        };
        /** @description A book of a store. */
        Book: {
            /**
             * Format: int64
             * @description Assigned by the service.
             * @example 1
             */
            id: number;
            /**
             * @description Its title.
             * @example The Dispossessed
             */
            title: string;
            /**
             * Format: int64
             * @description The store that has it. Not checked.
             * @example 7
             */
            storeId: number;
            /** @description Absent if it was not given. */
            format?: components["schemas"]["Format"] | undefined;
        };
        /** @description A page of books, in ascending order of `id`. */
        Books: components["schemas"]["Book"][];
        /**
         * @description Whether it takes books.
         * @enum {string}
         */
        StoreState: "open" | "full" | "closed";
        /** @description A store to open. */
        NewStore: {
            /** @example Main */
            name: string;
            /** @example Main */
            city: string;
            /** @example 500 */
            capacity?: number | undefined;
        };
        /** @description New values. */
        StoreChange: {
            /** @example Main */
            name?: string | undefined;
            /** @example 500 */
            capacity?: number | undefined;
            state?: components["schemas"]["StoreState"] | undefined;
        };
        /** @description A new name. */
        StoreName: {
            /** @example Main */
            name: string;
        };
        /** @description A store. */
        Store: {
            /**
             * Format: int64
             * @description Assigned by the service.
             * @example 1
             */
            id: number;
            /** @example Main */
            name: string;
            /** @example Main */
            city: string;
            /** @example 500 */
            capacity?: number | undefined;
            state: components["schemas"]["StoreState"];
        };
        /** @description A page of stores. */
        Stores: components["schemas"]["Store"][];
        /** @description The books of a store. */
        Stock: {
            /** @example Main */
            store: string;
            /**
             * Format: int64
             * @description Assigned by the service.
             * @example 1
             */
            books: number;
        };
        /** @description Who buys. */
        Buyer: {
            /** @example Main */
            name: string;
            /** @example Main */
            city?: string | undefined;
        };
        /** @description Any texts, by name. */
        Labels: {
            [key: string]: string;
        };
        /** @description A sale to add. */
        NewSale: {
            /**
             * Format: date-time
             * @example 2026-11-24T10:15:30.123456Z
             */
            soldAt: string;
            /**
             * Format: date
             * @description When it is to be paid.
             * @example 2026-12-24
             */
            due: string;
            /** @example 19.90 */
            price: string;
            buyer: components["schemas"]["Buyer"];
            titles: string[];
            labels?: components["schemas"]["Labels"] | undefined;
        };
        /** @description New labels. */
        SaleChange: {
            labels: components["schemas"]["Labels"];
        };
        /** @description A sale. */
        Sale: {
            /**
             * Format: int64
             * @description Assigned by the service.
             * @example 1
             */
            id: number;
            /**
             * Format: date-time
             * @example 2026-11-24T10:15:30.123456Z
             */
            soldAt: string;
            /**
             * Format: date
             * @description When it is to be paid.
             * @example 2026-12-24
             */
            due: string;
            /** @example 19.90 */
            price: string;
            buyer: components["schemas"]["Buyer"];
            titles: string[];
            labels?: components["schemas"]["Labels"] | undefined;
            /** @example Grace */
            cashier?: string | undefined;
            /**
             * @description Whether it has a price of 100 or more.
             * @example false
             */
            isLarge: boolean;
        };
        /** @description The body of every error response. */
        Error: {
            /**
             * @description Machine-readable error code. New codes may be added; handle an unknown code by its `status`.
             * @example invalid_request
             */
            code: string;
            /**
             * @description Human-readable description. It may change; do not parse it.
             * @example name is required
             */
            message: string;
            /**
             * @description The HTTP status code.
             * @example 400
             */
            status: number;
            /**
             * @description Which values fail, for forms: each failure of the first part of the request that fails, of path, query, body and
             *     header. Not every error has it.
             */
            errors?: components["schemas"]["FieldError"][] | undefined;
        };
        /** @description A value of a request that fails. */
        FieldError: {
            /**
             * @description Where it is, as a JSON Pointer (RFC 6901) that begins with `/path`, `/query`, `/header` or `/body`.
             * @example /body/name
             */
            pointer: string;
            /**
             * @description Human-readable description, without the name of the value. It may change; do not parse it.
             * @example is required
             */
            message: string;
        };
    };
    responses: {
        /** @description The request contains an invalid value or lacks a required one. Nothing was changed. */
        BadRequest: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The API key is missing, invalid or expired. */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such resource. */
        NotFound: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "not_found",
                 *       "message": "There is no such resource",
                 *       "status": 404
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description A request with the same `Idempotency-Key` is in progress: retry after a second. Or the change conflicts with what is stored
         *     (`conflict`), and changed nothing.
         */
        IdempotencyKeyInUse: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than the service accepts. */
        ContentTooLarge: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "payload_too_large",
                 *       "message": "The body is larger than 65536 bytes",
                 *       "status": 413
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not `application/json`. */
        UnsupportedMediaType: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "unsupported_media_type",
                 *       "message": "Send the body as application/json",
                 *       "status": 415
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The `Idempotency-Key` was already used with another request. Nothing was changed. */
        IdempotencyKeyReused: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "idempotency_key_reused",
                 *       "message": "This Idempotency-Key was used with another body",
                 *       "status": 422
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description Rate limit exceeded, or the key is banned for sending more requests after a 429. Wait for `Retry-After` seconds.
         *     Requests refused within a second of the first 429 do not count towards a ban.
         */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Internal error. */
        InternalServerError: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "internal_error",
                 *       "message": "Internal error",
                 *       "status": 500
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The service is temporarily unavailable, and did not process the request: retry after `Retry-After` seconds. Only
         *     with the code `outcome_unknown`, the change may or may not have been made, because the connection to the database
         *     was lost: repeat that request only if it had an `Idempotency-Key`.
         */
        ServiceUnavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Any other error, such as a malformed or incomplete HTTP request. */
        OtherFailure: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "request_header_fields_too_large",
                 *       "message": "The request headers are too large",
                 *       "status": 431
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description The maximum number of items to return.
         * @example 20
         */
        Limit: number;
        /** @description Makes the request safe to repeat. */
        IdempotencyKey: string;
        /**
         * @description The identifier of the store.
         * @example 1
         */
        StoreId: number;
        /** @description Start of the page: the `cursor` in the `Link` header of the previous page. Opaque; do not construct or store it. */
        Cursor: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The limit in force, in requests per window: minute or day, whichever has fewer requests remaining.
         * @example 60
         */
        "X-RateLimit-Limit": number;
        /**
         * @description Requests remaining in the current window.
         * @example 59
         */
        "X-RateLimit-Remaining": number;
        /**
         * @description Unix timestamp in seconds at which the limit resets.
         * @example 1795176060
         */
        "X-RateLimit-Reset": number;
        /**
         * @description Quota (`q`) and length in seconds (`w`) of both windows (draft-ietf-httpapi-ratelimit-headers-11). Without a
         *     valid key there is only the minute.
         * @example "minute";q=60;w=60, "day";q=1000;w=86400
         */
        "RateLimit-Policy": string;
        /**
         * @description Requests remaining (`r`) and seconds until the reset (`t`) of the same windows.
         * @example "minute";r=59;t=30, "day";r=999;t=43200
         */
        RateLimit: string;
        /**
         * @description Seconds to wait before the next request (RFC 9110, section 10.2.3).
         * @example 30
         */
        "Retry-After": number;
        /**
         * @description The authentication scheme (RFC 6750, section 3).
         * @example Bearer realm="service"
         */
        "WWW-Authenticate": string;
        /**
         * @description Related resources (RFC 8288). `rel="next"`: the next page, absent on the last one. `rel="successor-version"`:
         *     the replacement of a deprecated operation.
         * @example </v1/items?limit=20&cursor=YWZ0ZXI6NC4>; rel="next"
         */
        Link: string;
        /**
         * @description Time of the deprecation: `@` and a Unix timestamp (RFC 9745).
         * @example \@1795132800
         */
        Deprecation: string;
        /**
         * @description Time of the removal (RFC 8594).
         * @example Thu, 05 Dec 2030 00:00:00 GMT
         */
        Sunset: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listBooks: {
        parameters: {
            query?: {
                /**
                 * @description The maximum number of items to return.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Return only books of this format.
                 * @example hardcover
                 */
                format?: components["schemas"]["Format"];
                /** @description Start of the page: the `cursor` in the `Link` header of the previous page. Opaque; do not construct or store it. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of books. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 1,
                     *         "title": "The Dispossessed",
                     *         "storeId": 7,
                     *         "format": "hardcover"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Books"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    createBook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "The Dispossessed",
                 *       "storeId": 7,
                 *       "format": "hardcover"
                 *     }
                 */
                "application/json": components["schemas"]["NewBook"];
            };
        };
        responses: {
            /** @description The book that was added. */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "title": "The Dispossessed",
                     *       "storeId": 7,
                     *       "format": "hardcover"
                     *     }
                     */
                    "application/json": components["schemas"]["Book"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    getBook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of the book.
                 * @example 1
                 */
                bookId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The book. */
            200: {
                headers: {
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "title": "The Dispossessed",
                     *       "storeId": 7,
                     *       "format": "hardcover"
                     *     }
                     */
                    "application/json": components["schemas"]["Book"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    deleteBook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The identifier of the book.
                 * @example 1
                 */
                bookId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The book is deleted. */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyKeyInUse"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    listStores: {
        parameters: {
            query?: {
                /**
                 * @description The maximum number of items to return.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Return only stores in this city.
                 * @example Bern
                 */
                city?: string;
                /** @description Start of the page: the `cursor` in the `Link` header of the previous page. Opaque; do not construct or store it. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of stores. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stores"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    createStore: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Main",
                 *       "city": "Bern",
                 *       "capacity": 500
                 *     }
                 */
                "application/json": components["schemas"]["NewStore"];
            };
        };
        responses: {
            /** @description The store. */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Store"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    getStore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of the store.
                 * @example 1
                 */
                storeId: components["parameters"]["StoreId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The store. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Store"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    deleteStore: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The identifier of the store.
                 * @example 1
                 */
                storeId: components["parameters"]["StoreId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyKeyInUse"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    updateStore: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The identifier of the store.
                 * @example 1
                 */
                storeId: components["parameters"]["StoreId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "state": "full"
                 *     }
                 */
                "application/json": components["schemas"]["StoreChange"];
            };
        };
        responses: {
            /** @description The store. */
            200: {
                headers: {
                    /**
                     * @description Of the version that a later change may name.
                     * @example "1-full"
                     */
                    ETag: string;
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Store"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    replaceStoreName: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The identifier of the store.
                 * @example 1
                 */
                storeId: components["parameters"]["StoreId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Annex"
                 *     }
                 */
                "application/json": components["schemas"]["StoreName"];
            };
        };
        responses: {
            /** @description The store. */
            200: {
                headers: {
                    /**
                     * @description Of the version that a later change may name.
                     * @example "1-full"
                     */
                    ETag: string;
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Store"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    listStoreBooks: {
        parameters: {
            query?: {
                /**
                 * @description The maximum number of items to return.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Return only books of this format.
                 * @example ebook
                 */
                format?: components["schemas"]["Format"];
                /**
                 * @description Return only books whose title begins with this text.
                 * @example The
                 */
                title?: string;
                /** @description Start of the page: the `cursor` in the `Link` header of the previous page. Opaque; do not construct or store it. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /**
                 * @description The identifier of the store.
                 * @example 1
                 */
                storeId: components["parameters"]["StoreId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of books. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Books"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    listSales: {
        parameters: {
            query?: {
                /**
                 * @description The maximum number of items to return.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Return only sales to buyers whose name begins with this text.
                 * @example Ada
                 */
                buyer?: string;
                /** @description Start of the page: the `cursor` in the `Link` header of the previous page. Opaque; do not construct or store it. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sales. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sale"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    createSale: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Who sells.
                 * @example Grace
                 */
                "X-Cashier"?: string;
                /** @description Makes the request safe to repeat. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "soldAt": "2026-11-24T10:15:30.123456Z",
                 *       "due": "2026-12-24",
                 *       "price": "19.90",
                 *       "buyer": {
                 *         "name": "Ada"
                 *       },
                 *       "titles": [
                 *         "Emma"
                 *       ],
                 *       "labels": {
                 *         "campaign": "winter"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewSale"];
            };
        };
        responses: {
            /** @description The sale. */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sale"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    getSale: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of the sale.
                 * @example 1
                 */
                saleId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sale. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sale"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    labelSale: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The identifier of the sale.
                 * @example 1
                 */
                saleId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "labels": {
                 *         "campaign": "spring"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SaleChange"];
            };
        };
        responses: {
            /** @description The sale. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sale"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    getStock: {
        parameters: {
            query?: {
                /**
                 * @description Count only books of this format.
                 * @example ebook
                 */
                format?: components["schemas"]["Format"];
            };
            header?: never;
            path: {
                /**
                 * @description The identifier of the store.
                 * @example 1
                 */
                storeId: components["parameters"]["StoreId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    /**
                     * @description When it last changed.
                     * @example Mon, 23 Nov 2026 00:00:00 GMT
                     */
                    "Last-Modified"?: string | undefined;
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stock"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
}
