/** Names what is known of the database among the queries of the page. */
export const DATABASE_KEY = 'database'
