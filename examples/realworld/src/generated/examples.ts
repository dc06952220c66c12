// Generated from examples/realworld/conduit.yaml by `pnpm contract:generate`. Do not edit.

/** A request of each operation, from the examples of the contract. */
export const examples: Record<string, { method: string; target: string; body?: unknown }> = {
  "Login": {
    "method": "POST",
    "target": "/api/users/login",
    "body": {
      "user": {
        "email": "text",
        "password": "text"
      }
    }
  },
  "CreateUser": {
    "method": "POST",
    "target": "/api/users",
    "body": {
      "user": {
        "username": "text",
        "email": "text",
        "password": "text"
      }
    }
  },
  "GetCurrentUser": {
    "method": "GET",
    "target": "/api/user"
  },
  "UpdateCurrentUser": {
    "method": "PUT",
    "target": "/api/user",
    "body": {
      "user": {}
    }
  },
  "GetProfileByUsername": {
    "method": "GET",
    "target": "/api/profiles/text"
  },
  "FollowUserByUsername": {
    "method": "POST",
    "target": "/api/profiles/text/follow"
  },
  "UnfollowUserByUsername": {
    "method": "DELETE",
    "target": "/api/profiles/text/follow"
  },
  "GetArticlesFeed": {
    "method": "GET",
    "target": "/api/articles/feed"
  },
  "GetArticles": {
    "method": "GET",
    "target": "/api/articles"
  },
  "CreateArticle": {
    "method": "POST",
    "target": "/api/articles",
    "body": {
      "article": {
        "title": "text",
        "description": "text",
        "body": "text"
      }
    }
  },
  "GetArticle": {
    "method": "GET",
    "target": "/api/articles/text"
  },
  "UpdateArticle": {
    "method": "PUT",
    "target": "/api/articles/text",
    "body": {
      "article": {}
    }
  },
  "DeleteArticle": {
    "method": "DELETE",
    "target": "/api/articles/text"
  },
  "GetArticleComments": {
    "method": "GET",
    "target": "/api/articles/text/comments"
  },
  "CreateArticleComment": {
    "method": "POST",
    "target": "/api/articles/text/comments",
    "body": {
      "comment": {
        "body": "text"
      }
    }
  },
  "DeleteArticleComment": {
    "method": "DELETE",
    "target": "/api/articles/text/comments/1"
  },
  "CreateArticleFavorite": {
    "method": "POST",
    "target": "/api/articles/text/favorite"
  },
  "DeleteArticleFavorite": {
    "method": "DELETE",
    "target": "/api/articles/text/favorite"
  },
  "GetTags": {
    "method": "GET",
    "target": "/api/tags"
  }
};
