export * from './passwords.ts'
export * from './tokens.ts'
