"""What makes particles and water visible: a node group and two materials, made once and then the user's own."""
import bpy

POINTS_GROUP, POINTS_MATERIAL, WATER_MATERIAL = "Loam points", "Loam particles", "Loam water"


def points_group():
    """Vertices become points with their own radius; Cycles renders these as spheres."""
    group = bpy.data.node_groups.get(POINTS_GROUP)
    if group:
        return group
    group = bpy.data.node_groups.new(POINTS_GROUP, "GeometryNodeTree")
    _socket(group, "Geometry", "INPUT", "NodeSocketGeometry")
    _socket(group, "Material", "INPUT", "NodeSocketMaterial")
    _socket(group, "Geometry", "OUTPUT", "NodeSocketGeometry")
    begin, end = group.nodes.new("NodeGroupInput"), group.nodes.new("NodeGroupOutput")
    radius = group.nodes.new("GeometryNodeInputNamedAttribute")
    radius.data_type = "FLOAT"
    radius.inputs["Name"].default_value = "radius"
    points = group.nodes.new("GeometryNodeMeshToPoints")
    material = group.nodes.new("GeometryNodeSetMaterial")
    group.links.new(begin.outputs["Geometry"], _first(points.inputs, "Mesh"))
    group.links.new(_enabled(radius.outputs, "Attribute"), points.inputs["Radius"])
    group.links.new(_first(points.outputs, "Points"), material.inputs["Geometry"])
    group.links.new(begin.outputs["Material"], material.inputs["Material"])
    group.links.new(material.outputs["Geometry"], end.inputs["Geometry"])
    for k, node in enumerate((begin, radius, points, material, end)):
        node.location = (200 * k, -150 * (node is radius))
    return group


def add_points_modifier(target):
    modifier = target.modifiers.new(POINTS_GROUP, "NODES")
    group = modifier.node_group = points_group()
    modifier[_identifier(group, "Material")] = points_material()


def points_material(top_speed=None):
    """Colored by speed, from blue at rest to white at the top speed of the run."""
    material = bpy.data.materials.get(POINTS_MATERIAL)
    if material:
        return material
    material, shader = _material(POINTS_MATERIAL)
    shader.inputs["Roughness"].default_value = 0.4
    nodes, links = material.node_tree.nodes, material.node_tree.links
    speed, share, ramp = (nodes.new(kind) for kind in
                          ("ShaderNodeAttribute", "ShaderNodeMapRange", "ShaderNodeValToRGB"))
    speed.attribute_name = "speed"
    share.inputs["From Max"].default_value = top_speed or 3
    ramp.color_ramp.elements[0].color = (0.01, 0.09, 0.35, 1)
    ramp.color_ramp.elements[1].color = (0.9, 0.97, 1, 1)
    links.new(speed.outputs[2], share.inputs["Value"])  # "Fac", by newer names "Factor"
    links.new(share.outputs["Result"], ramp.inputs[0])
    links.new(ramp.outputs["Color"], shader.inputs["Base Color"])
    for k, node in enumerate((speed, share, ramp)):
        node.location = (-800 + 250 * k, 300)
    return material


def water_material():
    material = bpy.data.materials.get(WATER_MATERIAL)
    if material:
        return material
    material, shader = _material(WATER_MATERIAL)
    for name, value in (("Base Color", (0.75, 0.91, 0.97, 1)), ("Roughness", 0.0), ("IOR", 1.333),
                        ("Transmission", 1.0), ("Transmission Weight", 1.0)):  # its name from Blender 4 on
        if name in shader.inputs:
            shader.inputs[name].default_value = value
    return material


def _material(name):
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    tree = material.node_tree
    tree.nodes.clear()  # what Blender puts there hangs on the active object: for a volume it is not a surface
    shader, output = tree.nodes.new("ShaderNodeBsdfPrincipled"), tree.nodes.new("ShaderNodeOutputMaterial")
    output.location.x = 300
    tree.links.new(shader.outputs["BSDF"], output.inputs["Surface"])
    return material, shader


# Sockets of groups have another interface from Blender 4 on.
def _socket(group, name, direction, kind):
    if hasattr(group, "interface"):
        group.interface.new_socket(name=name, in_out=direction, socket_type=kind)
    else:
        (group.inputs if direction == "INPUT" else group.outputs).new(kind, name)


def _identifier(group, name):
    sockets = group.interface.items_tree if hasattr(group, "interface") else group.inputs
    return next(socket.identifier for socket in sockets if socket.name == name)


def _first(sockets, name):
    return sockets[name] if name in sockets else sockets[0]


def _enabled(sockets, name):
    """Nodes of several types have a socket for each; one is enabled."""
    return next(socket for socket in sockets if socket.name == name and socket.enabled)
