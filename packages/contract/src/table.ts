/** `routes.auth.login`: method and path of each route. Input and reply exist as types only. */
export * as routes from './table/all.ts'
