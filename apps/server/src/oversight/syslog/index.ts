export { syslogFeature } from './syslog.feature.ts'
export { collectorOf, reasonOf, syslogState, tryCollector } from './syslog.service.ts'
