export { openClientPackages, type ClientPackages } from './client-packages.service.ts'
