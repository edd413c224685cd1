/** A Nest application with nothing in it, on the same transport as ours: prints `listening` and ends. */
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';

class Nothing {}
Module({})(Nothing);

const app = await NestFactory.create(Nothing, new FastifyAdapter(), { logger: false });
await app.listen(0, '127.0.0.1');
process.stdout.write('listening\n');
process.exit(0);
