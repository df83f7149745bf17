import { defineOperation, json } from '../operation.ts';
import { Health, Readiness, Version } from '../resources/operational.ts';

const shared = {
  tag: 'Operational',
  surface: 'operational',
  policy: { access: 'public' },
} as const;

export const getHealth = defineOperation({
  ...shared,
  id: 'getHealth',
  method: 'GET',
  path: '/health',
  summary: 'Check that the process is alive',
  responses: { 200: json('Alive', Health) },
});

export const getReadiness = defineOperation({
  ...shared,
  id: 'getReadiness',
  method: 'GET',
  path: '/ready',
  summary: 'Check that the process can serve requests',
  responses: {
    200: json('Ready', Readiness),
    503: json('Not ready: starting, stopping, or a dependency is unavailable', Readiness),
  },
});

export const getVersion = defineOperation({
  ...shared,
  id: 'getVersion',
  method: 'GET',
  path: '/version',
  summary: 'Read the versions of the running service',
  responses: { 200: json('Versions', Version) },
});

export const getOpenapiJson = defineOperation({
  ...shared,
  id: 'getOpenapiJson',
  method: 'GET',
  path: '/openapi.json',
  summary: 'This document as JSON',
  responses: { 200: { description: 'OpenAPI 3.1', schema: null, contentType: 'application/json' } },
});

export const getOpenapiYaml = defineOperation({
  ...shared,
  id: 'getOpenapiYaml',
  method: 'GET',
  path: '/openapi.yaml',
  summary: 'This document as YAML',
  responses: { 200: { description: 'OpenAPI 3.1', schema: null, contentType: 'application/yaml' } },
});

export const getReferencePage = defineOperation({
  ...shared,
  id: 'getReferencePage',
  method: 'GET',
  path: '/docs',
  summary: 'The documentation, with this reference',
  responses: { 200: { description: 'A page', schema: null, contentType: 'text/html' } },
});

export const getLlmsText = defineOperation({
  ...shared,
  id: 'getLlmsText',
  method: 'GET',
  path: '/llms.txt',
  summary: 'A short guide for language models',
  responses: { 200: { description: 'Markdown', schema: null, contentType: 'text/plain' } },
});
