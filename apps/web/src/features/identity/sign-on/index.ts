export { SignOnPage } from './sign-on.page.tsx'
