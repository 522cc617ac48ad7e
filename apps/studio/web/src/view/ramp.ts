// The colors of values from least to most, for shaders.
import * as THREE from 'three';
import {gradientPixels} from './colors';

export function rampTexture(): THREE.DataTexture {
  const ramp = new THREE.DataTexture(gradientPixels(), 256, 1);
  ramp.minFilter = ramp.magFilter = THREE.LinearFilter;
  ramp.needsUpdate = true;
  return ramp;
}
