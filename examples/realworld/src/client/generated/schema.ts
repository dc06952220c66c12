// Generated from examples/realworld/conduit.yaml by `pnpm contract:generate`. Do not edit.

export interface paths {
    "/users/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Log in */
        post: operations["Login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Register */
        post: operations["CreateUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the caller */
        get: operations["GetCurrentUser"];
        /** Change the caller */
        put: operations["UpdateCurrentUser"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profiles/{username}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a profile */
        get: operations["GetProfileByUsername"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profiles/{username}/follow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Follow a person */
        post: operations["FollowUserByUsername"];
        /** Unfollow a person */
        delete: operations["UnfollowUserByUsername"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/articles/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the articles of those whom the caller follows */
        get: operations["GetArticlesFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/articles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List articles, the newest first */
        get: operations["GetArticles"];
        put?: never;
        /** Write an article */
        post: operations["CreateArticle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/articles/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an article */
        get: operations["GetArticle"];
        /** Change an article */
        put: operations["UpdateArticle"];
        post?: never;
        /** Delete an article */
        delete: operations["DeleteArticle"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/articles/{slug}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the comments on an article */
        get: operations["GetArticleComments"];
        put?: never;
        /** Comment an article */
        post: operations["CreateArticleComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/articles/{slug}/comments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a comment */
        delete: operations["DeleteArticleComment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/articles/{slug}/favorite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Favorite an article */
        post: operations["CreateArticleFavorite"];
        /** Unfavorite an article */
        delete: operations["DeleteArticleFavorite"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the tags of all articles */
        get: operations["GetTags"];
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
        LoginUser: {
            email: string;
            /** Format: password */
            password: string;
        };
        NewUser: {
            username: string;
            email: string;
            /** Format: password */
            password: string;
        };
        UpdateUser: {
            email?: string | undefined;
            username?: string | undefined;
            password?: string | undefined;
            bio?: (string | null) | undefined;
            image?: (string | null) | undefined;
        };
        User: {
            email: string;
            token: string;
            username: string;
            bio: string | null;
            image: string | null;
        };
        Profile: {
            username: string;
            bio: string | null;
            image: string | null;
            following: boolean;
        };
        ListedArticle: {
            slug: string;
            title: string;
            description: string;
            tagList: string[];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            favorited: boolean;
            favoritesCount: number;
            author: components["schemas"]["Profile"];
        };
        Article: {
            slug: string;
            title: string;
            description: string;
            tagList: string[];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            favorited: boolean;
            favoritesCount: number;
            author: components["schemas"]["Profile"];
            body: string;
        };
        NewArticle: {
            title: string;
            description: string;
            body: string;
            tagList?: string[] | undefined;
        };
        UpdateArticle: {
            title?: string | undefined;
            description?: string | undefined;
            body?: string | undefined;
            tagList?: string[] | undefined;
        };
        Comment: {
            id: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            body: string;
            author: components["schemas"]["Profile"];
        };
        NewComment: {
            body: string;
        };
        GenericErrorModel: {
            errors: {
                [key: string]: string[];
            };
        };
    };
    responses: {
        /** @description The caller. */
        User: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    user: components["schemas"]["User"];
                };
            };
        };
        /** @description The profile. */
        Profile: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    profile: components["schemas"]["Profile"];
                };
            };
        };
        /** @description The article. */
        Article: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    article: components["schemas"]["Article"];
                };
            };
        };
        /** @description A part of the articles, and how many there are. */
        Articles: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    articles: components["schemas"]["ListedArticle"][];
                    articlesCount: number;
                };
            };
        };
        /** @description The messages of a failure, by field. */
        Failure: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GenericErrorModel"];
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
                "X-Error-Code": components["headers"]["X-Error-Code"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GenericErrorModel"];
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
                "X-Error-Code": components["headers"]["X-Error-Code"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GenericErrorModel"];
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
                "X-Error-Code": components["headers"]["X-Error-Code"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GenericErrorModel"];
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
                "X-Error-Code": components["headers"]["X-Error-Code"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GenericErrorModel"];
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
                "X-Error-Code": components["headers"]["X-Error-Code"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GenericErrorModel"];
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
                "X-Error-Code": components["headers"]["X-Error-Code"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GenericErrorModel"];
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
                "X-Error-Code": components["headers"]["X-Error-Code"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GenericErrorModel"];
            };
        };
    };
    parameters: {
        /** @description Of the person. */
        username: string;
        /** @description The name of the article in URLs. */
        slug: string;
        /** @description How many articles are skipped. */
        offset: number;
        /** @description The most articles in the response. */
        limit: number;
        /**
         * @description Makes the request safe to repeat (draft-ietf-httpapi-idempotency-key-header-07). Send a new value with
         *     each new change, such as the UUID that `uuidgen`, `crypto.randomUUID()` or `{{$guid}}` in Postman make; it is kept
         *     for 24 hours. A repetition of the request gets the first response, or 409 if that is not ready yet; another
         *     request with the same value gets 422.
         */
        IdempotencyKey: string;
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
         * @description The platform's code of the failure, where the body has no place for it.
         * @example not_found
         */
        "X-Error-Code": string;
        /** @description The authentication scheme (RFC 6750, section 3). */
        "WWW-Authenticate": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    Login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    user: components["schemas"]["LoginUser"];
                };
            };
        };
        responses: {
            200: components["responses"]["User"];
            /** @description The messages of a failure, by field. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenericErrorModel"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Failure"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    CreateUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    user: components["schemas"]["NewUser"];
                };
            };
        };
        responses: {
            201: components["responses"]["User"];
            409: components["responses"]["Failure"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Failure"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    GetCurrentUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["User"];
            /** @description The messages of a failure, by field. */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenericErrorModel"];
                };
            };
            422: components["responses"]["Failure"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    UpdateCurrentUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    user: components["schemas"]["UpdateUser"];
                };
            };
        };
        responses: {
            200: components["responses"]["User"];
            /** @description The messages of a failure, by field. */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenericErrorModel"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Failure"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    GetProfileByUsername: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of the person. */
                username: components["parameters"]["username"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Profile"];
            /** @description The messages of a failure, by field. */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenericErrorModel"];
                };
            };
            404: components["responses"]["Failure"];
            422: components["responses"]["Failure"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    FollowUserByUsername: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat (draft-ietf-httpapi-idempotency-key-header-07). Send a new value with
                 *     each new change, such as the UUID that `uuidgen`, `crypto.randomUUID()` or `{{$guid}}` in Postman make; it is kept
                 *     for 24 hours. A repetition of the request gets the first response, or 409 if that is not ready yet; another
                 *     request with the same value gets 422.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Of the person. */
                username: components["parameters"]["username"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Profile"];
            /** @description The messages of a failure, by field. */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenericErrorModel"];
                };
            };
            404: components["responses"]["Failure"];
            409: components["responses"]["IdempotencyKeyInUse"];
            422: components["responses"]["Failure"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    UnfollowUserByUsername: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat (draft-ietf-httpapi-idempotency-key-header-07). Send a new value with
                 *     each new change, such as the UUID that `uuidgen`, `crypto.randomUUID()` or `{{$guid}}` in Postman make; it is kept
                 *     for 24 hours. A repetition of the request gets the first response, or 409 if that is not ready yet; another
                 *     request with the same value gets 422.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Of the person. */
                username: components["parameters"]["username"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Profile"];
            /** @description The messages of a failure, by field. */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenericErrorModel"];
                };
            };
            404: components["responses"]["Failure"];
            409: components["responses"]["IdempotencyKeyInUse"];
            422: components["responses"]["Failure"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    GetArticlesFeed: {
        parameters: {
            query?: {
                /** @description How many articles are skipped. */
                offset?: components["parameters"]["offset"];
                /** @description The most articles in the response. */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Articles"];
            /** @description The messages of a failure, by field. */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenericErrorModel"];
                };
            };
            422: components["responses"]["Failure"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    GetArticles: {
        parameters: {
            query?: {
                /** @description A tag that they have. */
                tag?: string;
                /** @description Who has written them. */
                author?: string;
                /** @description Who has favorited them. */
                favorited?: string;
                /** @description How many articles are skipped. */
                offset?: components["parameters"]["offset"];
                /** @description The most articles in the response. */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Articles"];
            /** @description The messages of a failure, by field. */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenericErrorModel"];
                };
            };
            422: components["responses"]["Failure"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    CreateArticle: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat (draft-ietf-httpapi-idempotency-key-header-07). Send a new value with
                 *     each new change, such as the UUID that `uuidgen`, `crypto.randomUUID()` or `{{$guid}}` in Postman make; it is kept
                 *     for 24 hours. A repetition of the request gets the first response, or 409 if that is not ready yet; another
                 *     request with the same value gets 422.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    article: components["schemas"]["NewArticle"];
                };
            };
        };
        responses: {
            201: components["responses"]["Article"];
            /** @description The messages of a failure, by field. */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenericErrorModel"];
                };
            };
            /** @description The messages of a failure, by field. */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenericErrorModel"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Failure"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    GetArticle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the article in URLs. */
                slug: components["parameters"]["slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Article"];
            /** @description The messages of a failure, by field. */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenericErrorModel"];
                };
            };
            404: components["responses"]["Failure"];
            422: components["responses"]["Failure"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    UpdateArticle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the article in URLs. */
                slug: components["parameters"]["slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    article: components["schemas"]["UpdateArticle"];
                };
            };
        };
        responses: {
            200: components["responses"]["Article"];
            /** @description The messages of a failure, by field. */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenericErrorModel"];
                };
            };
            403: components["responses"]["Failure"];
            404: components["responses"]["Failure"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Failure"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    DeleteArticle: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat (draft-ietf-httpapi-idempotency-key-header-07). Send a new value with
                 *     each new change, such as the UUID that `uuidgen`, `crypto.randomUUID()` or `{{$guid}}` in Postman make; it is kept
                 *     for 24 hours. A repetition of the request gets the first response, or 409 if that is not ready yet; another
                 *     request with the same value gets 422.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The name of the article in URLs. */
                slug: components["parameters"]["slug"];
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
            /** @description The messages of a failure, by field. */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenericErrorModel"];
                };
            };
            403: components["responses"]["Failure"];
            404: components["responses"]["Failure"];
            409: components["responses"]["IdempotencyKeyInUse"];
            422: components["responses"]["Failure"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    GetArticleComments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the article in URLs. */
                slug: components["parameters"]["slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The comments. */
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
                    "application/json": {
                        comments: components["schemas"]["Comment"][];
                    };
                };
            };
            /** @description The messages of a failure, by field. */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenericErrorModel"];
                };
            };
            404: components["responses"]["Failure"];
            422: components["responses"]["Failure"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    CreateArticleComment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat (draft-ietf-httpapi-idempotency-key-header-07). Send a new value with
                 *     each new change, such as the UUID that `uuidgen`, `crypto.randomUUID()` or `{{$guid}}` in Postman make; it is kept
                 *     for 24 hours. A repetition of the request gets the first response, or 409 if that is not ready yet; another
                 *     request with the same value gets 422.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The name of the article in URLs. */
                slug: components["parameters"]["slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    comment: components["schemas"]["NewComment"];
                };
            };
        };
        responses: {
            /** @description The comment. */
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
                    "application/json": {
                        comment: components["schemas"]["Comment"];
                    };
                };
            };
            /** @description The messages of a failure, by field. */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenericErrorModel"];
                };
            };
            404: components["responses"]["Failure"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Failure"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    DeleteArticleComment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat (draft-ietf-httpapi-idempotency-key-header-07). Send a new value with
                 *     each new change, such as the UUID that `uuidgen`, `crypto.randomUUID()` or `{{$guid}}` in Postman make; it is kept
                 *     for 24 hours. A repetition of the request gets the first response, or 409 if that is not ready yet; another
                 *     request with the same value gets 422.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The name of the article in URLs. */
                slug: components["parameters"]["slug"];
                /** @description Of the comment. */
                id: number;
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
            /** @description The messages of a failure, by field. */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenericErrorModel"];
                };
            };
            403: components["responses"]["Failure"];
            404: components["responses"]["Failure"];
            409: components["responses"]["IdempotencyKeyInUse"];
            422: components["responses"]["Failure"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    CreateArticleFavorite: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat (draft-ietf-httpapi-idempotency-key-header-07). Send a new value with
                 *     each new change, such as the UUID that `uuidgen`, `crypto.randomUUID()` or `{{$guid}}` in Postman make; it is kept
                 *     for 24 hours. A repetition of the request gets the first response, or 409 if that is not ready yet; another
                 *     request with the same value gets 422.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The name of the article in URLs. */
                slug: components["parameters"]["slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Article"];
            /** @description The messages of a failure, by field. */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenericErrorModel"];
                };
            };
            404: components["responses"]["Failure"];
            409: components["responses"]["IdempotencyKeyInUse"];
            422: components["responses"]["Failure"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    DeleteArticleFavorite: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat (draft-ietf-httpapi-idempotency-key-header-07). Send a new value with
                 *     each new change, such as the UUID that `uuidgen`, `crypto.randomUUID()` or `{{$guid}}` in Postman make; it is kept
                 *     for 24 hours. A repetition of the request gets the first response, or 409 if that is not ready yet; another
                 *     request with the same value gets 422.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The name of the article in URLs. */
                slug: components["parameters"]["slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Article"];
            /** @description The messages of a failure, by field. */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenericErrorModel"];
                };
            };
            404: components["responses"]["Failure"];
            409: components["responses"]["IdempotencyKeyInUse"];
            422: components["responses"]["Failure"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
    GetTags: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tags. */
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
                    "application/json": {
                        tags: string[];
                    };
                };
            };
            422: components["responses"]["Failure"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["OtherFailure"];
        };
    };
}
