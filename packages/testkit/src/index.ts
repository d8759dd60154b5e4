export { connectScriptedClient, type ScriptedClient, type ScriptedClientOptions } from './clients/scripted-client.ts'
export { HEIC, rawFile, rawFiles } from './fixtures/camera-files.ts'
export { hostileFiles } from './fixtures/hostile-files.ts'
export { naughtyStrings } from './fixtures/naughty-strings.ts'
export { pdfOf, pngOf, wavOf } from './fixtures/sample-files.ts'
export { launchGodwit, type Godwit, type GodwitOptions } from './process-launchers/godwit.launcher.ts'
export { openMemoryCage, type MemoryCage } from './process-launchers/memory-cage.ts'
export { launchMariadb, type Mariadb } from './process-launchers/mariadb.launcher.ts'
export { launchRedis, type Redis } from './process-launchers/redis.launcher.ts'
export { launchBucketService, type BucketService } from './process-launchers/bucket-service.ts'
export { launchRadosgw, type Radosgw } from './process-launchers/radosgw.launcher.ts'
export { launch, run, type Ending, type LaunchOptions, type Program } from './process-launchers/program.ts'
export { freePort } from './process-launchers/free-port.ts'
export { launchSlapd, type Slapd } from './process-launchers/slapd.launcher.ts'
export { launchSmtp, type KeptMail, type Smtp } from './process-launchers/smtp.launcher.ts'
export { launchPebble, type Pebble, type PebbleOptions } from './process-launchers/pebble.launcher.ts'
export { launchOidc, type Oidc } from './process-launchers/oidc.launcher.ts'
export { launchSaml, type Saml } from './process-launchers/saml.launcher.ts'
export {
  samlAnswer,
  samlSignOut,
  SAML_FAULTS,
  signedQuery,
  signedXml,
  type SamlFault,
} from './process-launchers/saml-messages.ts'
