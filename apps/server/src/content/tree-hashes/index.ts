export {
  asBuffer,
  Blake3Hasher,
  blake3Hash,
  contradicts,
  coversAll,
  LeafHasher,
  nodeOf,
  rootOf,
  rootOfBytes,
  treeHashOf,
} from './tree-hashes.ts'
