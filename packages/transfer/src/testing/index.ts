export { MemoryDisk, type MemoryFile, MemoryTarget } from './memory-target.ts'
export { MemorySource, type MemorySourceFile } from './memory-source.ts'
export { sourceSuite, type SourceFixture } from './source-suite.ts'
export { targetSuite, type TargetFixture } from './target-suite.ts'
