"""Loam caches in Blender: the particles or the surfaces of a run as an animated object. How to: docs/blender.md."""
bl_info = {
    "name": "Loam cache",
    "author": "The Loam authors",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "File > Import > Loam cache; 3D View > Sidebar > Loam",
    "description": "Shows particles and surfaces simulated by Loam, also while the simulation goes on",
    "category": "Import-Export",
}

from . import follow, run, ui  # noqa: E402  bl_info has to stand first


def register():
    ui.register()
    run.register()
    follow.register()


def unregister():
    follow.unregister()
    run.unregister()
    ui.unregister()
