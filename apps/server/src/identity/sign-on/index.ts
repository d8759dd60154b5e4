export { signOnFeature } from './sign-on.feature.ts'
