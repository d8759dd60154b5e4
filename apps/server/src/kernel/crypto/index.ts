export * from './passwords.ts'
export * from './tokens.ts'
export * from './vault.ts'
