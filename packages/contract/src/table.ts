/** `routes.auth.login`: where each route is. What it takes and answers is known to the compiler alone. */
export * as routes from './table/all.ts'
