export type { TreeNode } from './tree-state.ts'
export { Tree } from './tree.tsx'
