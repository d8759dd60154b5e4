export { accessAnswersFeature } from './access-answers.feature.ts'
