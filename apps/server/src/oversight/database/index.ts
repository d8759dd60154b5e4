export { databaseFeature } from './database.feature.ts'
